namespace Postrider.Rpc;

/// <summary>Selects the SOAP style document/literal bare: the operation's only parameter and its result are the body elements themselves.
/// Other transports ignore it.</summary>
/// <remarks>Operations of a service with parameters of the same type are distinguished by their actions.</remarks>
[AttributeUsage(AttributeTargets.Method)]
public sealed class BareAttribute : Attribute;
