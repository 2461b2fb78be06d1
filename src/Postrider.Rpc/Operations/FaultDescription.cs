using System.Buffers;

namespace Postrider.Rpc;

/// <summary>A failure that a contract names.</summary>
/// <param name="name">Its name on the wire.</param>
public abstract class FaultDescription(string name)
{
    /// <summary>Its name on the wire.</summary>
    public string Name { get; } = name;

    /// <summary>The detail's type.</summary>
    public abstract Type Detail { get; }

    /// <summary>Writes the detail when the exception is this fault.</summary>
    /// <param name="exception">What was thrown.</param>
    /// <param name="codec">The form.</param>
    /// <param name="output">Takes the bytes.</param>
    /// <returns>False when it is another failure; nothing is written then.</returns>
    public abstract bool TryWrite(Exception exception, RpcCodec codec, IBufferWriter<byte> output);

    /// <summary>Makes the exception of a detail that was received.</summary>
    /// <param name="detail">The detail's bytes.</param>
    /// <param name="codec">Their form.</param>
    /// <param name="message">The failure in words.</param>
    /// <returns>The exception.</returns>
    /// <exception cref="RpcException">The bytes are no such detail: <see cref="RpcStatus.InvalidData"/>.</exception>
    public abstract RpcException Read(in ReadOnlySequence<byte> detail, RpcCodec codec, string message);

    /// <summary>Gives the fault with its type to a visitor.</summary>
    /// <typeparam name="TResult">What the visitor makes.</typeparam>
    /// <param name="visitor">The visitor.</param>
    /// <returns>What it made.</returns>
    public abstract TResult Accept<TResult>(IFaultVisitor<TResult> visitor);
}

/// <summary>A failure that a contract names, with its type.</summary>
/// <typeparam name="T">The detail.</typeparam>
/// <param name="make">Makes what the caller throws of a detail and the failure in words; null for <see cref="RpcFaultException{T}"/>.</param>
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

    /// <summary>Makes what the caller throws.</summary>
    /// <param name="detail">The detail.</param>
    /// <param name="message">The failure in words.</param>
    /// <returns>The exception.</returns>
    public RpcException Make(T detail, string message) => make is null ? new RpcFaultException<T>(detail, message) : make(detail, message);
}
