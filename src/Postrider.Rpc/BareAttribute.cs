namespace Postrider.Rpc;

/// <summary>In SOAP the operation's one parameter and its result stand in the body themselves, as the elements of their types: document/literal
/// bare. Other transports make no difference.</summary>
/// <remarks>Operations of a service whose parameters are of the same type are told apart by their actions.</remarks>
[AttributeUsage(AttributeTargets.Method)]
public sealed class BareAttribute : Attribute;
