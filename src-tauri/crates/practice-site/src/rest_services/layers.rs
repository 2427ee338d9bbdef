//! Feature services. Each has one point layer.

use super::request::Names;
use crate::store::features::LayerName;
use crate::store::services::ServiceName;
use crate::wire::ApiError;

pub(super) const KIND: &str = "FeatureServer";
/// ID of the only layer.
pub(super) const LAYER: i64 = 0;
pub(super) const OBJECT_ID: &str = "OBJECTID";
pub(super) const GLOBAL_ID: &str = "GlobalID";

/// Returns the layer in the path.
pub(super) fn layer(names: &Names, service: &ServiceName) -> Result<LayerName, ApiError> {
    match names.get("layer").parse::<i64>() {
        Ok(LAYER) => Ok(layer_of(service)),
        _ => Err(ApiError::not_found(format!("The layer {} of {service}", names.get("layer")))),
    }
}

pub(super) fn layer_of(service: &ServiceName) -> LayerName {
    LayerName { service: service.to_string(), layer: LAYER }
}
