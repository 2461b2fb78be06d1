namespace Postrider.Rpc.Http;

/// <summary>The kind of the next record in a body of items.</summary>
internal enum StreamRecordKind
{
    /// <summary>No complete record yet.</summary>
    None,

    /// <summary>A message or an item.</summary>
    Item,

    /// <summary>The failure of the stream; nothing follows.</summary>
    Failure,
}
