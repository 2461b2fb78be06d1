using Postrider.Sockets;

namespace Postrider.SystemTests.Sockets;

[Collection(nameof(ConnectionContract))]
public sealed class EpollConnectionTests() : EngineContract(EngineKind.Epoll);
