using Postrider.Transports;

namespace Postrider.Transport.Grpc;

/// <summary>A durable transport that keeps the messages of a <see cref="GrpcBinding"/> until they are handled.</summary>
/// <param name="Transport">The name of the transport in the container; it has <see cref="TransportAbilities.Durability"/>.</param>
/// <param name="Binding">Where the messages are stored and how they are handled: a binding of that transport. Its
/// <see cref="TransportBinding.Source"/> is also the destination that they are sent to there.</param>
public sealed record GrpcStore(string Transport, AtLeastOnceBinding Binding);
