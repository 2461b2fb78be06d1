using System.Buffers;

namespace Postrider.Rpc.Sockets;

/// <summary>A served operation bound to a codec.</summary>
internal interface IServerOperation
{
    /// <summary>The operation's name on the wire.</summary>
    string Path { get; }

    /// <summary>The kind of the operation: unary, one-way or streaming.</summary>
    OperationKind Kind { get; }

    /// <summary>Whether the operation is one-way.</summary>
    bool IsOneWay { get; }

    /// <summary>Starts a call.</summary>
    /// <param name="connection">The connection of the call.</param>
    /// <param name="id">The call's number.</param>
    /// <param name="timeout">The caller's timeout, or null.</param>
    /// <param name="headers">The caller's headers, or null.</param>
    /// <param name="body">The message: valid during the call only.</param>
    /// <returns>The call, to be run.</returns>
    /// <exception cref="RpcException">The message cannot be read.</exception>
    ServerCall Begin(RpcServerConnection connection, uint id, TimeSpan? timeout, RpcHeaders? headers, in ReadOnlySequence<byte> body);

    /// <summary>Describes an exception for the caller.</summary>
    CallFailure Describe(Exception exception);
}
