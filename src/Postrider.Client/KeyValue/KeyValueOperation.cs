namespace Postrider.Client.KeyValue;

/// <summary>Operations on a key.</summary>
public enum KeyValueOperation
{
    /// <summary>A value was stored.</summary>
    Put,

    /// <summary>The key was deleted; its history is kept.</summary>
    Delete,

    /// <summary>The key was deleted with its history, or has expired.</summary>
    Purge,
}
