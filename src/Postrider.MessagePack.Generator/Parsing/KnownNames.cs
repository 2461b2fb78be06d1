namespace Postrider.MessagePack.Generator.Parsing;

/// <summary>The full names of the library's types.</summary>
internal static class KnownNames
{
    internal const string Context = "Postrider.MessagePack.MessagePackContext";
    internal const string Serializable = "Postrider.MessagePack.MessagePackSerializableAttribute";
    internal const string Object = "Postrider.MessagePack.MessagePackObjectAttribute";
    internal const string Key = "Postrider.MessagePack.KeyAttribute";
    internal const string Ignore = "Postrider.MessagePack.IgnoreMemberAttribute";
    internal const string Union = "Postrider.MessagePack.UnionAttribute";
    internal const string Constructor = "Postrider.MessagePack.SerializationConstructorAttribute";
    internal const string Formatter = "Postrider.MessagePack.MessagePackFormatterAttribute";
    internal const string Compatibility = "Postrider.MessagePack.MessagePackCompatibilityAttribute";
    internal const string FormatterInterface = "Postrider.MessagePack.IMessagePackFormatter<T>";
}
