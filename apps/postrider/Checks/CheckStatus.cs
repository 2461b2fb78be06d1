namespace Postrider.CommandLine.Checks;

/// <summary>The result of a check; the numbers are the exit codes of monitoring plug-ins.</summary>
internal enum CheckStatus
{
    Ok = 0,
    Warning = 1,
    Critical = 2,
    Unknown = 3,
}
