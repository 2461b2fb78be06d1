using System.Text;
using Postrider.Client;
using Postrider.Transports;
using Postrider.Wire.Frames;

namespace Postrider.Transport.Nats;

/// <summary>Whether messages sent over one connection can arrive at another one's binding.</summary>
internal static class NatsCircles
{
    public static bool Reaches(NatsClient sender, string destination, ITransport listener, TransportBinding binding)
    {
        var receiver = listener switch
        {
            NatsTransport transport => transport.Client,
            NatsStreamTransport streams => streams.Client,
            _ => null,
        };
        return receiver is not null && IsSameSystem(sender, receiver)
            && Subject.Collide(Encoding.UTF8.GetBytes(destination), Encoding.UTF8.GetBytes(binding.Source));
    }

    private static bool IsSameSystem(NatsClient one, NatsClient other)
    {
        if (ReferenceEquals(one, other)) return true;
        return one.ServerInfo is { } left && other.ServerInfo is { } right
            && (left.ServerId == right.ServerId || (left.Cluster is { Length: > 0 } cluster && cluster == right.Cluster));
    }
}
