namespace Postrider;

/// <summary>Requests <c>AddPostrider</c> and the dispatcher for a class library; executables always get them.</summary>
[AttributeUsage(AttributeTargets.Assembly)]
public sealed class PostriderHostAttribute : Attribute;
