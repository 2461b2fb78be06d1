namespace Postrider.Client.KeyValue;

/// <summary>What was done to a key.</summary>
public enum KeyValueOperation
{
    /// <summary>It got a value.</summary>
    Put,

    /// <summary>It was deleted; its earlier values are kept as history.</summary>
    Delete,

    /// <summary>It was deleted with its history, or its time ran out.</summary>
    Purge,
}
