using System.Buffers;
using Postrider.Client;

namespace Postrider.Rpc.Nats;

/// <summary>Handles a request; returns the error message, or null.</summary>
internal delegate ValueTask<string?> NatsHandler(NatsMessage<IMemoryOwner<byte>> message, CancellationToken stop);
