using Postrider.Sockets;

namespace Postrider.SystemTests.Sockets;

[Collection(nameof(ConnectionContract))]
public sealed class WebSocketOverEpollTests() : WebSocketContract(EngineKind.Epoll);

[Collection(nameof(ConnectionContract))]
public sealed class WebSocketOverSocketsTests() : WebSocketContract(EngineKind.Sockets);

[Collection(nameof(ConnectionContract))]
public sealed class WebSocketInMemoryTests() : WebSocketContract(kind: null);
