namespace System.ServiceModel.Web;

/// <summary>WCF's formats over HTTP.</summary>
public enum WebMessageFormat
{
    /// <summary>XML.</summary>
    Xml,

    /// <summary>JSON.</summary>
    Json,
}
