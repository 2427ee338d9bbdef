; What the uninstaller of Windows does besides removing the files.

!macro NSIS_HOOK_PREUNINSTALL
  ; An update runs the uninstaller of the former version: without this condition, it would end all backup plans.
  ${If} $UpdateMode <> 1
    Push $0
    ; The name is that of scheduler/task_scheduler.rs. Without plans there is no task, and nothing is said.
    ReadEnvStr $0 USERNAME
    nsExec::Exec '"$SYSDIR\schtasks.exe" /Delete /TN "\Site Steward\plans-$0" /F'
    Pop $0 ; the exit code
    Pop $0
  ${EndIf}
!macroend
