namespace Postrider.Rpc.Soap;

/// <summary>The version of the envelope.</summary>
public enum SoapVersion
{
    /// <summary>SOAP 1.1: <c>text/xml</c> and the header <c>SOAPAction</c>.</summary>
    Soap11,

    /// <summary>SOAP 1.2: <c>application/soap+xml</c> with a parameter <c>action</c>.</summary>
    Soap12,
}
