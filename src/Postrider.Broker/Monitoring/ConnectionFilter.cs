namespace Postrider.Broker.Monitoring;

/// <summary>Filters connections by their state.</summary>
public enum ConnectionFilter
{
    /// <summary>Open connections.</summary>
    Open,

    /// <summary>Closed connections.</summary>
    Closed,

    /// <summary>Open and closed connections.</summary>
    All,
}
