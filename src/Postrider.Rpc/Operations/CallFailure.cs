using System.Buffers;

namespace Postrider.Rpc;

/// <summary>A failed call as it is sent between processes.</summary>
/// <param name="Status">The status of the call.</param>
/// <param name="Message">The error message.</param>
/// <param name="Fault">The name of the fault if the contract declares it.</param>
/// <param name="Detail">The fault's detail in the call's codec; empty otherwise.</param>
public sealed record CallFailure(RpcStatus Status, string Message, string? Fault = null, ReadOnlyMemory<byte> Detail = default)
{
    // The text of an operation's exception is not sent: it may name files, tables or people.
    private const string Withheld = "The operation failed.";

    /// <summary>Creates the failure that the caller receives for an exception.</summary>
    /// <param name="exception">The exception of the operation.</param>
    /// <param name="operation">The operation.</param>
    /// <param name="codec">The codec of the fault's detail.</param>
    /// <param name="enableDetailedErrors">Whether to send the messages of exceptions that the contract does not declare. For development
    /// only.</param>
    /// <returns>The failure.</returns>
    public static CallFailure From(Exception exception, Operation operation, RpcCodec codec, bool enableDetailedErrors)
    {
        ArgumentNullException.ThrowIfNull(operation);
        switch (exception)
        {
            case IRpcFault fault when operation.FindFault(fault.Fault) is { } known:
                var detail = new ArrayBufferWriter<byte>();
                if (known.TryWrite(exception, codec, detail))
                    return new(RpcStatus.Fault, exception.Message, fault.Fault, detail.WrittenMemory);
                break;
            case RpcException { Status: not RpcStatus.Fault } known:
                return new(known.Status, known.Message);
            case OperationCanceledException:
                return new(RpcStatus.Cancelled, "The operation was cancelled.");
        }

        return new(RpcStatus.Internal, enableDetailedErrors ? $"{exception.GetType().Name}: {exception.Message}" : Withheld);
    }

    /// <summary>Creates the exception that the caller throws.</summary>
    /// <param name="operation">The operation.</param>
    /// <param name="codec">The codec of the detail.</param>
    /// <returns>The exception.</returns>
    public RpcException ToException(Operation operation, RpcCodec codec)
    {
        ArgumentNullException.ThrowIfNull(operation);
        if (Status == RpcStatus.Internal && operation.Failure is { } make)
            return make(Status, Message, null);
        if (Status != RpcStatus.Fault)
            return new(Status is RpcStatus.Ok || Status > RpcStatus.DataLoss ? RpcStatus.Internal : Status, Message);
        if (operation.FindFault(Fault) is not { } known)
            return new(RpcStatus.Internal, $"{operation.Path} failed with the fault '{Fault}', which the contract does not declare: {Message}");
        try
        {
            return known.Read(new ReadOnlySequence<byte>(Detail), codec, Message);
        }
        catch (RpcException unreadable)
        {
            return new(RpcStatus.InvalidData, $"{operation.Path} failed with the fault '{Fault}', whose detail cannot be read: {unreadable.Message}", unreadable);
        }
    }
}
