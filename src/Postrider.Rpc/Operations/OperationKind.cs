namespace Postrider.Rpc;

/// <summary>The kind of an operation.</summary>
public enum OperationKind
{
    /// <summary>One request message, one response message.</summary>
    Unary,

    /// <summary>One request message, no response.</summary>
    OneWay,

    /// <summary>One request message, a response stream.</summary>
    ServerStream,

    /// <summary>A request message with a stream, one response message.</summary>
    ClientStream,

    /// <summary>A request message with a stream, and a response stream at the same time.</summary>
    Duplex,
}
