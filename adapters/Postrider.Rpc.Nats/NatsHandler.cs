using System.Buffers;
using Postrider.Client;

namespace Postrider.Rpc.Nats;

/// <summary>Answers a request; gives what went wrong, or null.</summary>
internal delegate ValueTask<string?> NatsHandler(NatsMessage<IMemoryOwner<byte>> message, CancellationToken stop);
