namespace Postrider.CommandLine.Verbs.Checks;

/// <summary>How a check is written.</summary>
internal enum CheckFormat
{
    Nagios,
    Text,
    Prometheus,
    Json,
}
