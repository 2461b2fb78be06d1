namespace Postrider.Rpc.Http;

/// <summary>What stands next in a body of items.</summary>
internal enum StreamRecordKind
{
    /// <summary>Nothing whole yet.</summary>
    None,

    /// <summary>A message or an item.</summary>
    Item,

    /// <summary>How the stream failed; nothing follows.</summary>
    Failure,
}
