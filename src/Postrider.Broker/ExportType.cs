namespace Postrider.Broker;

/// <summary>What an export offers: a stream or a service.</summary>
public enum ExportType
{
    /// <summary>Messages that the exporting account publishes: importing accounts subscribe to them.</summary>
    Stream,

    /// <summary>Requests that the exporting account answers: importing accounts publish them.</summary>
    Service,
}
