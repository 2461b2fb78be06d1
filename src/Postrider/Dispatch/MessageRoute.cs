using Postrider.Transports;

namespace Postrider.Dispatch;

/// <summary>Where a message type is sent instead of being handled by the sender's container.</summary>
/// <param name="Transport">Finds the transport in the container.</param>
/// <param name="Destination">The destination of the handler, in the format of the transport.</param>
internal sealed record MessageRoute(Func<IServiceProvider, ITransport> Transport, string Destination);
