using System.Buffers;
using Postrider.Rpc.Codecs;

namespace Postrider.Rpc.Operations;

/// <summary>A failure that a contract names.</summary>
/// <param name="name">Its name on the wire.</param>
public abstract class FaultType(string name)
{
    /// <summary>Its name on the wire.</summary>
    public string Name { get; } = name;

    /// <summary>Writes the detail when the exception is this fault.</summary>
    /// <param name="exception">What was thrown.</param>
    /// <param name="codec">The form.</param>
    /// <param name="output">Takes the bytes.</param>
    /// <returns>False when it is another failure; nothing is written then.</returns>
    public abstract bool TryWrite(RpcFaultException exception, RpcCodec codec, IBufferWriter<byte> output);

    /// <summary>Makes the exception of a detail that was received.</summary>
    /// <param name="detail">The detail's bytes.</param>
    /// <param name="codec">Their form.</param>
    /// <param name="message">The failure in words.</param>
    /// <returns>The exception.</returns>
    /// <exception cref="RpcException">The bytes are no such detail: <see cref="RpcStatus.InvalidData"/>.</exception>
    public abstract RpcFaultException Read(in ReadOnlySequence<byte> detail, RpcCodec codec, string message);
}

/// <summary>A failure that a contract names, with its type.</summary>
/// <typeparam name="T">The detail.</typeparam>
public sealed class FaultType<T>() : FaultType(typeof(T).Name)
{
    /// <inheritdoc/>
    public override bool TryWrite(RpcFaultException exception, RpcCodec codec, IBufferWriter<byte> output)
    {
        ArgumentNullException.ThrowIfNull(codec);
        if (exception is not RpcFaultException<T> fault)
            return false;
        codec.Of<T>().Write(output, fault.Detail);
        return true;
    }

    /// <inheritdoc/>
    public override RpcFaultException Read(in ReadOnlySequence<byte> detail, RpcCodec codec, string message)
    {
        ArgumentNullException.ThrowIfNull(codec);
        return new RpcFaultException<T>(codec.Of<T>().Read(detail), message);
    }
}
