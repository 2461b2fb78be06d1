namespace System.ServiceModel.Web;

/// <summary>Over HTTP the operation is a method of its template.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class WebInvokeAttribute : Attribute
{
    /// <summary>HTTP's method; null for POST.</summary>
    public string? Method { get; set; }

    /// <summary>The path and the query, <c>orders/{id}?most={limit}</c> for example; null for the operation's name.</summary>
    public string? UriTemplate { get; set; }

    /// <summary>WCF's choice of format; callers say here what they want by <c>Accept</c>.</summary>
    public WebMessageFormat ResponseFormat { get; set; }

    /// <summary>WCF's choice of format; callers say here what they send by <c>Content-Type</c>.</summary>
    public WebMessageFormat RequestFormat { get; set; }

    /// <summary>WCF's choice of style; one parameter is the body here, several are an object by their names.</summary>
    public WebMessageBodyStyle BodyStyle { get; set; }
}
