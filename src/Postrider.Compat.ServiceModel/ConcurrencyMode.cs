namespace System.ServiceModel;

/// <summary>How many calls an object takes at once. Here it takes all that come.</summary>
public enum ConcurrencyMode
{
    /// <summary>One.</summary>
    Single,

    /// <summary>One, and others while it waits for a call of its own.</summary>
    Reentrant,

    /// <summary>All that come, as here.</summary>
    Multiple,
}
