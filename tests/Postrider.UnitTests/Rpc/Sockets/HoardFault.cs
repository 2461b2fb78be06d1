namespace Postrider.UnitTests.Rpc.Sockets;

/// <summary>A fault that the codec in use cannot write.</summary>
internal sealed record HoardFault(string Text);
