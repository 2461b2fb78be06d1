namespace Postrider.Rpc;

/// <summary>What goes to and fro in one call.</summary>
public enum OperationKind
{
    /// <summary>A message there, a message back.</summary>
    Unary,

    /// <summary>A message there, nothing back.</summary>
    OneWay,

    /// <summary>A message there, items back.</summary>
    ServerStream,

    /// <summary>A message and items there, a message back.</summary>
    ClientStream,

    /// <summary>A message and items there, items back, at the same time.</summary>
    Duplex,
}
