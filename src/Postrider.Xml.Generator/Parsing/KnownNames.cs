namespace Postrider.Xml.Generator.Parsing;

/// <summary>The full names of the library's types and of the platform's attributes.</summary>
internal static class KnownNames
{
    internal const string Context = "Postrider.Xml.XmlContext";
    internal const string Serializable = "Postrider.Xml.XmlSerializableAttribute";
    internal const string Contract = "System.Runtime.Serialization.DataContractAttribute";
    internal const string Member = "System.Runtime.Serialization.DataMemberAttribute";
    internal const string Ignore = "System.Runtime.Serialization.IgnoreDataMemberAttribute";
    internal const string EnumMember = "System.Runtime.Serialization.EnumMemberAttribute";
    internal const string Collection = "System.Runtime.Serialization.CollectionDataContractAttribute";
    internal const string KnownType = "System.Runtime.Serialization.KnownTypeAttribute";
    internal const string ContractNamespace = "System.Runtime.Serialization.ContractNamespaceAttribute";
}
