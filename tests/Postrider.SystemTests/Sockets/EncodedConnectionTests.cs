using Postrider.Sockets;

namespace Postrider.SystemTests.Sockets;

[Collection(nameof(ConnectionContract))]
public sealed class EncodedOverEpollTests() : EncodedContract(EngineKind.Epoll);

[Collection(nameof(ConnectionContract))]
public sealed class EncodedOverSocketsTests() : EncodedContract(EngineKind.Sockets);

[Collection(nameof(ConnectionContract))]
public sealed class EncodedInMemoryTests() : EncodedContract(kind: null);
