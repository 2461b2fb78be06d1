namespace Postrider.Broker.Sessions;

/// <summary>How to handle a message with trace headers.</summary>
internal enum TraceDecision
{
    /// <summary>As an ordinary message.</summary>
    Ignore,

    /// <summary>Deliver it, and prevent the following servers from tracing it.</summary>
    Disable,

    /// <summary>Drop it: it is only to be traced, and cannot be.</summary>
    Drop,

    /// <summary>Trace it.</summary>
    Trace,
}
