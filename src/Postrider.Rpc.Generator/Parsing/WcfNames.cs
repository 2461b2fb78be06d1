namespace Postrider.Rpc.Generator.Parsing;

/// <summary>The names of WCF's attributes: from <c>Postrider.Compat.ServiceModel</c> or from WCF's own packages.</summary>
internal static class WcfNames
{
    internal const string Service = "System.ServiceModel.ServiceContractAttribute";
    internal const string Operation = "System.ServiceModel.OperationContractAttribute";
    internal const string Fault = "System.ServiceModel.FaultContractAttribute";
    internal const string FaultException = "System.ServiceModel.FaultException";
    internal const string WebGet = "System.ServiceModel.Web.WebGetAttribute";
    internal const string WebInvoke = "System.ServiceModel.Web.WebInvokeAttribute";
    internal const string MessageParameter = "System.ServiceModel.MessageParameterAttribute";
}
