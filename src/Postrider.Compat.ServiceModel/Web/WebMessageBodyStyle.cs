namespace System.ServiceModel.Web;

/// <summary>WCF's styles of a body.</summary>
public enum WebMessageBodyStyle
{
    /// <summary>The message alone.</summary>
    Bare,

    /// <summary>Both in an element of their own.</summary>
    Wrapped,

    /// <summary>The request in an element of its own.</summary>
    WrappedRequest,

    /// <summary>The answer in an element of its own.</summary>
    WrappedResponse,
}
