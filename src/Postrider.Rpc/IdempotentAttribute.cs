namespace Postrider.Rpc;

/// <summary>Says of an operation that running it twice is as good as once: it may be sent again when nobody knows whether it ran, and hedged.</summary>
/// <remarks>Nothing is sent twice unless the caller asks for it: <c>BalancedChannelOptions</c>.</remarks>
[AttributeUsage(AttributeTargets.Method)]
public sealed class IdempotentAttribute : Attribute;
