namespace System.ServiceModel;

/// <summary>How many calls a service object handles concurrently. Postrider always behaves like <see cref="Multiple"/>.</summary>
public enum ConcurrencyMode
{
    /// <summary>One call at a time.</summary>
    Single,

    /// <summary>One call at a time; other calls may run while it waits for an outgoing call.</summary>
    Reentrant,

    /// <summary>Any number of concurrent calls.</summary>
    Multiple,
}
