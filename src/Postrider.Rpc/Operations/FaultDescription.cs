using System.Buffers;

namespace Postrider.Rpc;

/// <summary>A fault that a contract declares.</summary>
/// <param name="name">The name on the wire.</param>
public abstract class FaultDescription(string name)
{
    /// <summary>The name on the wire.</summary>
    public string Name { get; } = name;

    /// <summary>The detail's type.</summary>
    public abstract Type Detail { get; }

    /// <summary>Writes the detail if the exception is this fault.</summary>
    /// <param name="exception">The thrown exception.</param>
    /// <param name="codec">The codec.</param>
    /// <param name="output">Receives the bytes.</param>
    /// <returns>False if the exception is a different failure; nothing is written then.</returns>
    public abstract bool TryWrite(Exception exception, RpcCodec codec, IBufferWriter<byte> output);

    /// <summary>Creates the exception from a received detail.</summary>
    /// <param name="detail">The detail's bytes.</param>
    /// <param name="codec">The codec of the detail.</param>
    /// <param name="message">The error message.</param>
    /// <returns>The exception.</returns>
    /// <exception cref="RpcException">The bytes are not a valid detail: <see cref="RpcStatus.InvalidData"/>.</exception>
    public abstract RpcException Read(in ReadOnlySequence<byte> detail, RpcCodec codec, string message);

    /// <summary>Calls a visitor with the detail's type.</summary>
    /// <typeparam name="TResult">The visitor's result.</typeparam>
    /// <param name="visitor">The visitor.</param>
    /// <returns>The visitor's result.</returns>
    public abstract TResult Accept<TResult>(IFaultVisitor<TResult> visitor);
}

/// <summary>A fault that a contract declares, with the type of its detail.</summary>
/// <typeparam name="T">The detail.</typeparam>
/// <param name="make">Creates the exception from a detail and an error message; null for <see cref="RpcFaultException{T}"/>.</param>
public sealed class FaultDescription<T>(Func<T, string, RpcException>? make = null) : FaultDescription(typeof(T).Name)
{
    /// <inheritdoc/>
    public override Type Detail => typeof(T);

    /// <inheritdoc/>
    public override bool TryWrite(Exception exception, RpcCodec codec, IBufferWriter<byte> output)
    {
        ArgumentNullException.ThrowIfNull(codec);
        if (exception is not IRpcFault<T> fault)
            return false;
        codec.GetFormatter<T>().Write(output, fault.Detail);
        return true;
    }

    /// <inheritdoc/>
    public override RpcException Read(in ReadOnlySequence<byte> detail, RpcCodec codec, string message)
    {
        ArgumentNullException.ThrowIfNull(codec);
        return Make(codec.GetFormatter<T>().Read(detail), message);
    }

    /// <inheritdoc/>
    public override TResult Accept<TResult>(IFaultVisitor<TResult> visitor)
    {
        ArgumentNullException.ThrowIfNull(visitor);
        return visitor.Visit(this);
    }

    /// <summary>Creates the exception that the caller throws.</summary>
    /// <param name="detail">The detail.</param>
    /// <param name="message">The error message.</param>
    /// <returns>The exception.</returns>
    public RpcException Make(T detail, string message) => make is null ? new RpcFaultException<T>(detail, message) : make(detail, message);
}
