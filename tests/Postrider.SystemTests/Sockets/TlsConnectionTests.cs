using Postrider.Sockets;

namespace Postrider.SystemTests.Sockets;

[Collection(nameof(ConnectionContract))]
public sealed class TlsOverEpollTests() : TlsContract(EngineKind.Epoll);

[Collection(nameof(ConnectionContract))]
public sealed class TlsOverSocketsTests() : TlsContract(EngineKind.Sockets);

[Collection(nameof(ConnectionContract))]
public sealed class TlsInMemoryTests() : TlsContract(kind: null);
