namespace System.ServiceModel.Web;

/// <summary>WCF's styles of a body.</summary>
public enum WebMessageBodyStyle
{
    /// <summary>No wrapper elements.</summary>
    Bare,

    /// <summary>Request and response are wrapped.</summary>
    Wrapped,

    /// <summary>The request is wrapped.</summary>
    WrappedRequest,

    /// <summary>The response is wrapped.</summary>
    WrappedResponse,
}
