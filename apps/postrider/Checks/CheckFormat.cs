namespace Postrider.CommandLine.Checks;

/// <summary>How a check is written.</summary>
internal enum CheckFormat
{
    Nagios,
    Text,
    Prometheus,
    Json,
}
