namespace Postrider.Xml.Elements;

/// <summary>The namespaces that data contracts share.</summary>
public static class XmlNamespaces
{
    /// <summary>XML Schema: the types of scalars.</summary>
    public const string Schema = "http://www.w3.org/2001/XMLSchema";

    /// <summary>Attributes on instances: nil, type.</summary>
    public const string Instance = "http://www.w3.org/2001/XMLSchema-instance";

    /// <summary>Roots of scalars, and the schema types guid, char and duration.</summary>
    public const string Serialization = "http://schemas.microsoft.com/2003/10/Serialization/";

    /// <summary>Collections of scalars.</summary>
    public const string Arrays = "http://schemas.microsoft.com/2003/10/Serialization/Arrays";

    /// <summary>The prefix of the namespace of a type that declares none.</summary>
    public const string Contracts = "http://schemas.datacontract.org/2004/07/";
}
