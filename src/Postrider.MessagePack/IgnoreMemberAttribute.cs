namespace Postrider.MessagePack;

/// <summary>Marks a member that is neither written nor read.</summary>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Field)]
public sealed class IgnoreMemberAttribute : Attribute;
