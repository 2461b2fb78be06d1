using System.Net.Sockets;
using RabbitMQ.Client.Exceptions;

namespace Postrider.Transport.RabbitMq;

/// <summary>Sorts the client's exceptions.</summary>
internal static class RabbitMqErrors
{
    /// <summary>Whether the connection or the channel is lost, so that another one may work.</summary>
    internal static bool IsLost(Exception failure)
        => failure is OperationInterruptedException or BrokerUnreachableException or IOException or SocketException or TimeoutException
            or OperationCanceledException or ObjectDisposedException { ObjectName: not nameof(RabbitMqTransport) };
}
