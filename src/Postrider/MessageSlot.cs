// Hot path: generated DispatchTo -> this -> DispatchTarget.SendBySlot. Allocations: none.
namespace Postrider;

/// <summary>The number of a message type: its place in the tables of every dispatcher of the process.</summary>
/// <typeparam name="TMessage">The message.</typeparam>
/// <remarks>Given at the first use, so that a type nobody sends takes no place. A static read-only field of an exact type is
/// a constant in optimised code.</remarks>
public static class MessageSlot<TMessage>
{
    /// <summary>The number, from 0 upwards.</summary>
    public static readonly int Index = MessageSlots.Take();
}

/// <summary>Counts the numbers that <see cref="MessageSlot{TMessage}"/> gives out.</summary>
internal static class MessageSlots
{
    private static int s_taken;

    internal static int Take() => Interlocked.Increment(ref s_taken) - 1;
}
