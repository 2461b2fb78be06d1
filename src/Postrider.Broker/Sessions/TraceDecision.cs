namespace Postrider.Broker.Sessions;

/// <summary>What is to be done with a message whose headers speak of tracing.</summary>
internal enum TraceDecision
{
    /// <summary>It is an ordinary message.</summary>
    Ignore,

    /// <summary>It is delivered, and no server behind this one is to trace it.</summary>
    Disable,

    /// <summary>It is only to be traced, and cannot be.</summary>
    Drop,

    /// <summary>It is traced.</summary>
    Trace,
}
