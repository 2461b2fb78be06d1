namespace Postrider;

/// <summary>Asks for <c>AddPostrider</c> and the dispatcher in a class library; executables get them without asking.</summary>
[AttributeUsage(AttributeTargets.Assembly)]
public sealed class PostriderHostAttribute : Attribute;
