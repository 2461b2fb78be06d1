using Postrider.Sockets;

namespace Postrider.SystemTests.Sockets;

[Collection(nameof(ConnectionContract))]
public sealed class SocketConnectionTests() : EngineContract(EngineKind.Sockets);
