namespace Postrider.Credentials;

/// <summary>An export of an account.</summary>
public enum ExportKind
{
    /// <summary>Messages that the exporting account publishes.</summary>
    Stream,

    /// <summary>Requests that the exporting account handles.</summary>
    Service,
}
