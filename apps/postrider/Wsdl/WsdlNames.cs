using System.Xml.Linq;

namespace Postrider.CommandLine.Wsdl;

/// <summary>The namespaces of descriptions.</summary>
internal static class WsdlNames
{
    internal const string Serialization = "http://schemas.microsoft.com/2003/10/Serialization/";
    internal const string Arrays = "http://schemas.microsoft.com/2003/10/Serialization/Arrays";

    internal static readonly XNamespace Wsdl = "http://schemas.xmlsoap.org/wsdl/";
    internal static readonly XNamespace Soap11 = "http://schemas.xmlsoap.org/wsdl/soap/";
    internal static readonly XNamespace Soap12 = "http://schemas.xmlsoap.org/wsdl/soap12/";
    internal static readonly XNamespace Xs = "http://www.w3.org/2001/XMLSchema";
}
