//! Buffer of a geometry: a circle around a point, a rectangle around any other geometry.

use serde_json::{Value, json};
use std::f64::consts::TAU;

const CORNERS: u32 = 64;

/// Returns the buffer polygon of a geometry, with `distance` in map units.
///
/// # Errors
/// Returns a message if the geometry contains no coordinates.
pub(super) fn buffer(geometry: &Value, distance: f64) -> Result<Value, String> {
    let mut points = Vec::new();
    if let Some(point) = pair(&geometry["x"], &geometry["y"]) {
        return Ok(polygon(geometry, circle(point, distance)));
    }
    for (x, y) in [("xmin", "ymin"), ("xmax", "ymax")] {
        points.extend(pair(&geometry[x], &geometry[y]));
    }
    collect(&geometry["points"], &mut points);
    collect(&geometry["paths"], &mut points);
    collect(&geometry["rings"], &mut points);
    if points.is_empty() {
        return Err("'geometry' is not a geometry that can be read.".to_owned());
    }
    let (mut low, mut high) = ((f64::MAX, f64::MAX), (f64::MIN, f64::MIN));
    for (x, y) in points {
        low = (low.0.min(x - distance), low.1.min(y - distance));
        high = (high.0.max(x + distance), high.1.max(y + distance));
    }
    let frame = [(low.0, low.1), (low.0, high.1), (high.0, high.1), (high.0, low.1), (low.0, low.1)];
    Ok(polygon(geometry, frame.into()))
}

/// Returns a circle as a clockwise ring, the orientation of outer rings.
fn circle((x, y): (f64, f64), radius: f64) -> Vec<(f64, f64)> {
    (0..=CORNERS)
        .map(|corner| {
            let angle = -TAU * f64::from(corner % CORNERS) / f64::from(CORNERS);
            (x + radius * angle.cos(), y + radius * angle.sin())
        })
        .collect()
}

fn polygon(of: &Value, ring: Vec<(f64, f64)>) -> Value {
    let mut polygon = json!({ "rings": [ring] });
    if let Some(reference) = of.get("spatialReference") {
        polygon["spatialReference"] = reference.clone();
    }
    polygon
}

/// Collects points at any depth of nested lists.
fn collect(nested: &Value, points: &mut Vec<(f64, f64)>) {
    let Some(list) = nested.as_array() else { return };
    match (list.first(), list.get(1)) {
        (Some(x), Some(y)) if x.is_number() => points.extend(pair(x, y)),
        _ => list.iter().for_each(|inner| collect(inner, points)),
    }
}

fn pair(x: &Value, y: &Value) -> Option<(f64, f64)> {
    Some((x.as_f64()?, y.as_f64()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffer_of_a_point_is_a_circle_and_of_a_line_a_rectangle() {
        let circle = buffer(&json!({ "x": 10, "y": 20, "spatialReference": { "wkid": 3857 } }), 5.0).unwrap();
        let ring = circle["rings"][0].as_array().unwrap();
        assert_eq!(ring.first(), ring.last());
        for corner in ring {
            let (x, y) = pair(&corner[0], &corner[1]).unwrap();
            assert!(((x - 10.0).hypot(y - 20.0) - 5.0).abs() < 1e-9);
        }
        assert_eq!(circle["spatialReference"]["wkid"], 3857);
        let frame = buffer(&json!({ "paths": [[[0, 0], [4, 2]]] }), 1.0).unwrap();
        assert_eq!(frame["rings"][0][2], json!([5.0, 3.0]));
        assert!(buffer(&json!({ "rings": [] }), 1.0).is_err());
        assert!(buffer(&json!("a text"), 1.0).is_err());
    }
}
