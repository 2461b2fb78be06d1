// What the WSDL does not say: the header that the story sends, and WS-Addressing's.
#import "wsa5.h"

mutable struct SOAP_ENV__Header
{
    char *ns1__Tenant;
};
