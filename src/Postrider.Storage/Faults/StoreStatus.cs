namespace Postrider.Storage.Faults;

/// <summary>The result of a call on a store.</summary>
internal enum StoreStatus
{
    /// <summary>Success.</summary>
    Ok,

    /// <summary>The sequence is not (or no longer) in the store, or nothing matches.</summary>
    NotFound,

    /// <summary>The sequence is beyond the last one.</summary>
    BeyondEnd,

    /// <summary>The record is damaged on the disk; its neighbours are not.</summary>
    Damaged,

    /// <summary>The store is read-only: see <see cref="MessageStore.Fault"/>.</summary>
    ReadOnly,

    /// <summary>Subject, headers and payload exceed what a record can hold.</summary>
    TooLarge,

    /// <summary>The given sequence is not beyond the last one.</summary>
    OutOfOrder,

    /// <summary>The store was closed.</summary>
    Closed,

    /// <summary>More results than the caller allows.</summary>
    TooMany,

    /// <summary>The stream has used the last possible sequence.</summary>
    Exhausted,
}
