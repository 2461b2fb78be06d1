namespace Postrider.Rpc;

/// <summary>Marks an operation as idempotent: it may be retried when it is unknown whether it ran, and hedged.</summary>
/// <remarks>Calls are only retried or hedged if the caller enables it: <c>BalancedChannelOptions</c>.</remarks>
[AttributeUsage(AttributeTargets.Method)]
public sealed class IdempotentAttribute : Attribute;
