namespace Postrider.Broker;

/// <summary>What one account offers to others, and what another one imports.</summary>
public enum ExportType
{
    /// <summary>Messages that the exporting account publishes: importing accounts subscribe to them.</summary>
    Stream,

    /// <summary>Requests that the exporting account answers: importing accounts publish them.</summary>
    Service,
}
