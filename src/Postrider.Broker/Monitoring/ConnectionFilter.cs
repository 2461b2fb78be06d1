namespace Postrider.Broker.Monitoring;

/// <summary>Which connections to show.</summary>
public enum ConnectionFilter
{
    /// <summary>Those that are open.</summary>
    Open,

    /// <summary>Those that ended.</summary>
    Closed,

    /// <summary>Both.</summary>
    All,
}
