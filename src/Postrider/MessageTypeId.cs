// Hot path: generated IRequest.DispatchTo -> this -> DispatcherCore.SendByTypeId. Allocations: none.
namespace Postrider;

/// <summary>The id of a message type: its index in the tables of every dispatcher of the process.</summary>
/// <typeparam name="TMessage">The message.</typeparam>
/// <remarks>Assigned at the first use, so that unused types take no space. A static read-only field of an exact type is
/// a constant in optimised code.</remarks>
public static class MessageTypeId<TMessage>
{
    /// <summary>The id, starting at 0.</summary>
    public static readonly int Value = MessageTypeIds.Next();
}

/// <summary>Counts the numbers that <see cref="MessageTypeId{TMessage}"/> gives out.</summary>
internal static class MessageTypeIds
{
    private static int s_count;

    internal static int Next() => Interlocked.Increment(ref s_count) - 1;
}
